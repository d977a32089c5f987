-- fmt: off
{# The text with every secret replaced by its kind; what holds none stays as it is. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro redact_secrets(text) %}
    {%- set redacted = text -%}
    {%- set redacted = replace_all(redacted, '-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:[\\s\\S]*?[A-Za-z0-9+/=]{20,}[\\s\\S]*?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|(?:\\s|\\\\[nr])*[A-Za-z0-9+/=]{40,}(?:(?:\\s|\\\\[nr])+[A-Za-z0-9+/=]{16,})*)', '[REDACTED:private_key_block]') -%}
    {%- set redacted = replace_all(redacted, '(^|[^A-Za-z0-9_-])sk-ant-[A-Za-z0-9_-]{20,}', '\\1[REDACTED:anthropic_key]') -%}
    {%- set redacted = replace_all(redacted, '(^|[^A-Za-z0-9_-])sk-or-v1-[0-9a-f]{32,}', '\\1[REDACTED:openrouter_key]') -%}
    {%- set redacted = replace_all(redacted, '(^|[^A-Za-z0-9_-])sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{32,})', '\\1[REDACTED:openai_key]') -%}
    {%- set redacted = replace_all(redacted, '(^|[^A-Za-z0-9_-])(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})', '\\1[REDACTED:github_token]') -%}
    {%- set redacted = replace_all(redacted, '(^|[^A-Za-z0-9_-])glpat-[A-Za-z0-9_-]{20,}', '\\1[REDACTED:gitlab_token]') -%}
    {%- set redacted = replace_all(redacted, '(^|[^A-Za-z0-9_-])(?:AKIA|ASIA)[A-Z0-9]{16}\\b', '\\1[REDACTED:aws_access_key]') -%}
    {%- set redacted = replace_all(redacted, '((?i:aws_secret_access_key|aws_secret_key|secretaccesskey|aws_session_token)(?:\\\\?["\'`])?\\s*[:=]\\s*(?:\\\\?["\'`])?)[A-Za-z0-9/+=]{40,}', '\\1[REDACTED:aws_secret_key]') -%}
    {%- set redacted = replace_all(redacted, '(^|[^A-Za-z0-9_-])(?:AIza[A-Za-z0-9_-]{35}|GOCSPX-[A-Za-z0-9_-]{20,})', '\\1[REDACTED:google_api_key]') -%}
    {%- set redacted = replace_all(redacted, '(^|[^A-Za-z0-9_-])(?:xox[abcdeprs]-[A-Za-z0-9]{0,20}[0-9]|xapp-[0-9]-)[A-Za-z0-9-]{9,}', '\\1[REDACTED:slack_token]') -%}
    {%- set redacted = replace_all(redacted, '(hooks\\.slack\\.com/(?:services|workflows)/)[A-Za-z0-9/_-]{20,}', '\\1[REDACTED:slack_webhook]') -%}
    {%- set redacted = replace_all(redacted, '(^|[^A-Za-z0-9_-])(?:(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,})', '\\1[REDACTED:stripe_key]') -%}
    {%- set redacted = replace_all(redacted, '(^|[^A-Za-z0-9_-])npm_[A-Za-z0-9]{36}', '\\1[REDACTED:npm_token]') -%}
    {%- set redacted = replace_all(redacted, '(^|[^A-Za-z0-9_-])pypi-[A-Za-z0-9_-]{50,}', '\\1[REDACTED:pypi_token]') -%}
    {%- set redacted = replace_all(redacted, '(^|[^A-Za-z0-9_-])hf_[A-Za-z0-9]{30,}', '\\1[REDACTED:huggingface_token]') -%}
    {%- set redacted = replace_all(redacted, '(^|[^A-Za-z0-9_-])gsk_[A-Za-z0-9]{40,}', '\\1[REDACTED:groq_key]') -%}
    {%- set redacted = replace_all(redacted, '(^|[^A-Za-z0-9_-])SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}', '\\1[REDACTED:sendgrid_key]') -%}
    {%- set redacted = replace_all(redacted, '(^|[^A-Za-z0-9_-])[0-9]{8,10}:AA[A-Za-z0-9_-]{33}', '\\1[REDACTED:telegram_bot_token]') -%}
    {%- set redacted = replace_all(redacted, '(^|[^A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}', '\\1[REDACTED:jwt]') -%}
    {%- set redacted = replace_all(redacted, '((?:AccountKey|SharedAccessKey)=)[A-Za-z0-9+/]{40,}={0,2}', '\\1[REDACTED:azure_account_key]') -%}
    {%- set redacted = replace_all(redacted, '([A-Za-z][A-Za-z0-9+.-]*://[^\\s:/@\'"<>\\[\\]]*:)[^\\s/@\'"<>\\[\\]\x7b}$][^\\s/@\'"<>\\[\\]]*@', '\\1[REDACTED:connection_password]@') -%}
    {%- set redacted = replace_all(redacted, '([?&](?i:access_token|auth_token|token|api_key|apikey|key|signature|sig|x-amz-signature)=)[A-Za-z0-9%._~+/-]{16,}', '\\1[REDACTED:url_token]') -%}
    {%- set redacted = replace_all(redacted, '((?i:\\bbearer)\\s+)(?:[A-Za-z._~+/-]{0,11}[0-9][A-Za-z0-9._~+/=-]{11,}|[A-Za-z._~+/-]{12,}[0-9][A-Za-z0-9._~+/=-]*)', '\\1[REDACTED:bearer_token]') -%}
    {%- set redacted = replace_all(redacted, '((?i:authorization(?:\\\\?["\'`])?\\s*[:=]\\s*(?:\\\\?["\'`])?basic)\\s+)[A-Za-z0-9+/]{16,}={0,2}', '\\1[REDACTED:basic_authorization]') -%}
    {%- set redacted = replace_all(redacted, '((?i:api[_-]?key|apikey|secret[_-]?key|client[_-]?secret|access[_-]?token|auth[_-]?token|refresh[_-]?token|private[_-]?token|bot[_-]?token|webhook[_-]?secret|encryption[_-]?key)(?:\\\\?["\'`])?\\]?\\s*[:=]\\s*(?:\\\\?["\'`])?)(?:[A-Za-z_-]{0,15}[0-9][A-Za-z0-9_-]{15,}|[A-Za-z_-]{16,}[0-9][A-Za-z0-9_-]*)([\\s"\'`,;)}\\]\\\\]|$)', '\\1[REDACTED:assigned_secret]\\2') -%}
    {%- set redacted = replace_all(redacted, '((?i:password|passwd|passphrase|passcode)(?:\\\\?["\'`])?\\]?\\s*[:=]\\s*)(?:\\\\?["\'`][^\\s"\'`<>$\x7b}\\[\\]\\\\]*[0-9!@\x23%^&*+=?~|][^\\s"\'`<>\\\\]*\\\\?["\'`]|(?:[A-Za-z@#!%&+?~^_-]{0,2}[0-9][A-Za-z0-9@#!%&+?~^*_-]{4,}|[A-Za-z@#!%&+?~^_-]{3,5}[0-9][A-Za-z0-9@#!%&+?~^*_-]{2,}|[A-Za-z@#!%&+?~^_-]{6,}[0-9][A-Za-z0-9@#!%&+?~^*_-]*)([\\s"\'`,;)}\\].\\\\]|$))', '\\1[REDACTED:password_assignment]\\2') -%}
    {%- set redacted = replace_all(redacted, '((?i:\\b(?:pass(?:word|phrase)|passwort|mot de passe|contraseña|senha) (?:is|ist|est|es|é)[: ]\\s*|(?:密码|密碼)\\s*(?:是|为|為|：|:)\\s*|비밀번호(?:는|은|:)\\s*|パスワード(?:は|：|:)\\s*)["\'`]?)(?:[A-Za-z@#!%&+?~^$-]{0,2}[0-9][A-Za-z0-9@#!%&+?~^*_$-]{4,}|[A-Za-z@#!%&+?~^$-]{3,5}[0-9][A-Za-z0-9@#!%&+?~^*_$-]{2,}|[A-Za-z@#!%&+?~^$-]{6,}[0-9][A-Za-z0-9@#!%&+?~^*_$-]*)', '\\1[REDACTED:password_sentence]') -%}
    case
        when {{ matches(text, 'PRIVATE KEY|sk-ant-|sk-or-v1-|sk-|ghp_|gho_|ghu_|ghs_|ghr_|github_pat_|glpat-|AKIA|ASIA|AIza|GOCSPX-|xox|xapp-|hooks\\.slack\\.com|_live_|_test_|whsec_|npm_|pypi-|hf_|gsk_|SG\\.|:AA|eyJ|AccountKey=|SharedAccessKey=|(?:((?i:aws_secret_access_key|aws_secret_key|secretaccesskey|aws_session_token)(?:\\\\?["\'`])?\\s*[:=]\\s*(?:\\\\?["\'`])?)[A-Za-z0-9/+=]{40,})|(?:([A-Za-z][A-Za-z0-9+.-]*://[^\\s:/@\'"<>\\[\\]]*:)[^\\s/@\'"<>\\[\\]\x7b}$][^\\s/@\'"<>\\[\\]]*@)|(?:([?&](?i:access_token|auth_token|token|api_key|apikey|key|signature|sig|x-amz-signature)=)[A-Za-z0-9%._~+/-]{16,})|(?:((?i:\\bbearer)\\s+)(?:[A-Za-z._~+/-]{0,11}[0-9][A-Za-z0-9._~+/=-]{11,}|[A-Za-z._~+/-]{12,}[0-9][A-Za-z0-9._~+/=-]*))|(?:((?i:authorization(?:\\\\?["\'`])?\\s*[:=]\\s*(?:\\\\?["\'`])?basic)\\s+)[A-Za-z0-9+/]{16,}={0,2})|(?:((?i:api[_-]?key|apikey|secret[_-]?key|client[_-]?secret|access[_-]?token|auth[_-]?token|refresh[_-]?token|private[_-]?token|bot[_-]?token|webhook[_-]?secret|encryption[_-]?key)(?:\\\\?["\'`])?\\]?\\s*[:=]\\s*(?:\\\\?["\'`])?)(?:[A-Za-z_-]{0,15}[0-9][A-Za-z0-9_-]{15,}|[A-Za-z_-]{16,}[0-9][A-Za-z0-9_-]*)([\\s"\'`,;)}\\]\\\\]|$))|(?:((?i:password|passwd|passphrase|passcode)(?:\\\\?["\'`])?\\]?\\s*[:=]\\s*)(?:\\\\?["\'`][^\\s"\'`<>$\x7b}\\[\\]\\\\]*[0-9!@\x23%^&*+=?~|][^\\s"\'`<>\\\\]*\\\\?["\'`]|(?:[A-Za-z@#!%&+?~^_-]{0,2}[0-9][A-Za-z0-9@#!%&+?~^*_-]{4,}|[A-Za-z@#!%&+?~^_-]{3,5}[0-9][A-Za-z0-9@#!%&+?~^*_-]{2,}|[A-Za-z@#!%&+?~^_-]{6,}[0-9][A-Za-z0-9@#!%&+?~^*_-]*)([\\s"\'`,;)}\\].\\\\]|$)))|(?:((?i:\\b(?:pass(?:word|phrase)|passwort|mot de passe|contraseña|senha) (?:is|ist|est|es|é)[: ]\\s*|(?:密码|密碼)\\s*(?:是|为|為|：|:)\\s*|비밀번호(?:는|은|:)\\s*|パスワード(?:は|：|:)\\s*)["\'`]?)(?:[A-Za-z@#!%&+?~^$-]{0,2}[0-9][A-Za-z0-9@#!%&+?~^*_$-]{4,}|[A-Za-z@#!%&+?~^$-]{3,5}[0-9][A-Za-z0-9@#!%&+?~^*_$-]{2,}|[A-Za-z@#!%&+?~^$-]{6,}[0-9][A-Za-z0-9@#!%&+?~^*_$-]*))') }}
        then {{ redacted }}
        else {{ text }}
    end
{% endmacro %}

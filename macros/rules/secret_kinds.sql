-- fmt: off
{# The kinds of secrets that an unredacted text holds, sorted; an empty list where none. Rendered from seeds/ by `python -m tamis.rules`: edit the rows. #}
{% macro secret_kinds(text) %}
    {%- set kinds -%}
        case when {{ matches(text, '-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----(?:[\\s\\S]*?[A-Za-z0-9+/=]{20,}[\\s\\S]*?-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----|(?:\\s|\\\\[nr])*[A-Za-z0-9+/=]{40,}(?:(?:\\s|\\\\[nr])+[A-Za-z0-9+/=]{16,})*)') }} then 'private_key_block' end,
        case when {{ matches(text, '(^|[^A-Za-z0-9_-])sk-ant-[A-Za-z0-9_-]{20,}') }} then 'anthropic_key' end,
        case when {{ matches(text, '(^|[^A-Za-z0-9_-])sk-or-v1-[0-9a-f]{32,}') }} then 'openrouter_key' end,
        case when {{ matches(text, '(^|[^A-Za-z0-9_-])sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{32,})') }} then 'openai_key' end,
        case when {{ matches(text, '(^|[^A-Za-z0-9_-])(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})') }} then 'github_token' end,
        case when {{ matches(text, '(^|[^A-Za-z0-9_-])glpat-[A-Za-z0-9_-]{20,}') }} then 'gitlab_token' end,
        case when {{ matches(text, '(^|[^A-Za-z0-9_-])(?:AKIA|ASIA)[A-Z0-9]{16}\\b') }} then 'aws_access_key' end,
        case when {{ matches(text, '((?i:aws_secret_access_key|aws_secret_key|secretaccesskey|aws_session_token)(?:\\\\?["\'`])?\\s*[:=]\\s*(?:\\\\?["\'`])?)[A-Za-z0-9/+=]{40,}') }} then 'aws_secret_key' end,
        case when {{ matches(text, '(^|[^A-Za-z0-9_-])(?:AIza[A-Za-z0-9_-]{35,}|GOCSPX-[A-Za-z0-9_-]{20,})') }} then 'google_api_key' end,
        case when {{ matches(text, '(^|[^A-Za-z0-9_-])(?:xox[abcdeprs]-[A-Za-z0-9]{0,20}[0-9]|xapp-[0-9]-)[A-Za-z0-9-]{9,}') }} then 'slack_token' end,
        case when {{ matches(text, '(hooks\\.slack\\.com/(?:services|workflows)/)[A-Za-z0-9/_-]{20,}') }} then 'slack_webhook' end,
        case when {{ matches(text, '(^|[^A-Za-z0-9_-])(?:(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{16,}|whsec_[A-Za-z0-9+/]{24,})') }} then 'stripe_key' end,
        case when {{ matches(text, '(^|[^A-Za-z0-9_-])npm_[A-Za-z0-9]{36}[A-Za-z0-9]*') }} then 'npm_token' end,
        case when {{ matches(text, '(^|[^A-Za-z0-9_-])pypi-[A-Za-z0-9_-]{50,}') }} then 'pypi_token' end,
        case when {{ matches(text, '(^|[^A-Za-z0-9_-])hf_[A-Za-z0-9]{30,}') }} then 'huggingface_token' end,
        case when {{ matches(text, '(^|[^A-Za-z0-9_-])gsk_[A-Za-z0-9]{40,}') }} then 'groq_key' end,
        case when {{ matches(text, '(^|[^A-Za-z0-9_-])SG\\.[A-Za-z0-9_-]{16,}\\.[A-Za-z0-9_-]{16,}') }} then 'sendgrid_key' end,
        case when {{ matches(text, '(^|[^A-Za-z0-9_-])[0-9]{8,10}:AA[A-Za-z0-9_-]{33,}') }} then 'telegram_bot_token' end,
        case when {{ matches(text, '(^|[^A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{10,}\\.eyJ[A-Za-z0-9_-]{10,}\\.[A-Za-z0-9_-]{10,}') }} then 'jwt' end,
        case when {{ matches(text, '((?:AccountKey|SharedAccessKey)=)[A-Za-z0-9+/]{40,}={0,2}') }} then 'azure_account_key' end,
        case when {{ matches(text, '([A-Za-z][A-Za-z0-9+.-]*://[^\\s:/@\'"<>\\[\\]]*:)[^\\s/@\'"<>\\[\\]\x7b}$][^\\s/@\'"<>\\[\\]]*@') }} then 'connection_password' end,
        case when {{ matches(text, '([?&](?i:access_token|auth_token|token|api_key|apikey|key|signature|sig|x-amz-signature)=)[A-Za-z0-9%._~+/-]{16,}') }} then 'url_token' end,
        case when {{ matches(text, '((?i:\\bbearer)\\s+)(?:[A-Za-z._~+/-]{0,11}[0-9][A-Za-z0-9._~+/=-]{11,}|[A-Za-z._~+/-]{12,}[0-9][A-Za-z0-9._~+/=-]*)') }} then 'bearer_token' end,
        case when {{ matches(text, '((?i:authorization(?:\\\\?["\'`])?\\s*[:=]\\s*(?:\\\\?["\'`])?basic)\\s+)[A-Za-z0-9+/]{16,}={0,2}') }} then 'basic_authorization' end,
        case when {{ matches(text, '((?i:api[_-]?key|apikey|secret[_-]?key|client[_-]?secret|access[_-]?token|auth[_-]?token|refresh[_-]?token|private[_-]?token|bot[_-]?token|webhook[_-]?secret|encryption[_-]?key)(?:\\\\?["\'`])?\\]?\\s*[:=]\\s*(?:\\\\?["\'`])?)(?:[A-Za-z_~.-]{0,15}[0-9][A-Za-z0-9_~.-]{10,}|[A-Za-z_-]{16,}[0-9][A-Za-z0-9_-]*)([\\s"\'`,;)}\\]\\\\]|$)') }} then 'assigned_secret' end,
        case when {{ matches(text, '((?i:password|passwd|passphrase|passcode|passwort|contraseña|senha|mot de passe|\\b[a-z]+_pass|\\bpwd)(?:\\\\?["\'`])?\\]?\\s*[:=]\\s*)(?:\\\\?["\'`][^\\s"\'`<>$\x7b}\\[\\]\\\\]*[0-9!@\x23%^&*+=?~|][^\\s"\'`<>\\\\]*\\\\?["\'`]|(?:[A-Za-z@#!%&+?~^_-]{0,2}[0-9][A-Za-z0-9@#!%&+?~^*_-]{4,}|[A-Za-z@#!%&+?~^_-]{3,5}[0-9][A-Za-z0-9@#!%&+?~^*_-]{2,}|[A-Za-z@#!%&+?~^_-]{6,}[0-9][A-Za-z0-9@#!%&+?~^*_-]*)([\\s"\'`,;)}\\].\\\\]|$))') }} then 'password_assignment' end,
        case when {{ matches(text, '((?i:\\b(?:pass(?:word|phrase)|passwort|mot de passe|contraseña|senha) (?:is|ist|est|es|é)[: ]\\s*|(?:密码|密碼)\\s*(?:是|为|為|：|:)\\s*|비밀번호(?:는|은|:)\\s*|パスワード(?:は|：|:)\\s*)["\'`]?)(?:[A-Za-z@#!%&+?~^$-]{0,2}[0-9][A-Za-z0-9@#!%&+?~^*_$-]{4,}|[A-Za-z@#!%&+?~^$-]{3,5}[0-9][A-Za-z0-9@#!%&+?~^*_$-]{2,}|[A-Za-z@#!%&+?~^$-]{6,}[0-9][A-Za-z0-9@#!%&+?~^*_$-]*)') }} then 'password_sentence' end,
        case when {{ matches(text, '(--(?:password|passwd|pass|token|api-key)[ =]["\']?)[^\\s"\'<>$]*[0-9][^\\s"\'<>]{3,}') }} then 'password_option' end,
        case when {{ matches(text, '(\\bcurl\\b[^\\n]{0,200}?\\s(?:-u|--user)[ =]["\']?[^\\s:"\']+:)[^\\s"\'$\\[][^\\s"\'$]{3,}') }} then 'user_option' end
    {%- endset -%}
    case
        when {{ matches(text, 'PRIVATE KEY|sk-ant-|sk-or-v1-|sk-|ghp_|gho_|ghu_|ghs_|ghr_|github_pat_|glpat-|AKIA|ASIA|AIza|GOCSPX-|xox|xapp-|hooks\\.slack\\.com|_live_|_test_|whsec_|npm_|pypi-|hf_|gsk_|SG\\.|:AA|eyJ|AccountKey=|SharedAccessKey=|--pass|--token|--api-key|curl|(?:((?i:aws_secret_access_key|aws_secret_key|secretaccesskey|aws_session_token)(?:\\\\?["\'`])?\\s*[:=]\\s*(?:\\\\?["\'`])?)[A-Za-z0-9/+=]{40,})|(?:([A-Za-z][A-Za-z0-9+.-]*://[^\\s:/@\'"<>\\[\\]]*:)[^\\s/@\'"<>\\[\\]\x7b}$][^\\s/@\'"<>\\[\\]]*@)|(?:([?&](?i:access_token|auth_token|token|api_key|apikey|key|signature|sig|x-amz-signature)=)[A-Za-z0-9%._~+/-]{16,})|(?:((?i:\\bbearer)\\s+)(?:[A-Za-z._~+/-]{0,11}[0-9][A-Za-z0-9._~+/=-]{11,}|[A-Za-z._~+/-]{12,}[0-9][A-Za-z0-9._~+/=-]*))|(?:((?i:authorization(?:\\\\?["\'`])?\\s*[:=]\\s*(?:\\\\?["\'`])?basic)\\s+)[A-Za-z0-9+/]{16,}={0,2})|(?:((?i:api[_-]?key|apikey|secret[_-]?key|client[_-]?secret|access[_-]?token|auth[_-]?token|refresh[_-]?token|private[_-]?token|bot[_-]?token|webhook[_-]?secret|encryption[_-]?key)(?:\\\\?["\'`])?\\]?\\s*[:=]\\s*(?:\\\\?["\'`])?)(?:[A-Za-z_~.-]{0,15}[0-9][A-Za-z0-9_~.-]{10,}|[A-Za-z_-]{16,}[0-9][A-Za-z0-9_-]*)([\\s"\'`,;)}\\]\\\\]|$))|(?:((?i:password|passwd|passphrase|passcode|passwort|contraseña|senha|mot de passe|\\b[a-z]+_pass|\\bpwd)(?:\\\\?["\'`])?\\]?\\s*[:=]\\s*)(?:\\\\?["\'`][^\\s"\'`<>$\x7b}\\[\\]\\\\]*[0-9!@\x23%^&*+=?~|][^\\s"\'`<>\\\\]*\\\\?["\'`]|(?:[A-Za-z@#!%&+?~^_-]{0,2}[0-9][A-Za-z0-9@#!%&+?~^*_-]{4,}|[A-Za-z@#!%&+?~^_-]{3,5}[0-9][A-Za-z0-9@#!%&+?~^*_-]{2,}|[A-Za-z@#!%&+?~^_-]{6,}[0-9][A-Za-z0-9@#!%&+?~^*_-]*)([\\s"\'`,;)}\\].\\\\]|$)))|(?:((?i:\\b(?:pass(?:word|phrase)|passwort|mot de passe|contraseña|senha) (?:is|ist|est|es|é)[: ]\\s*|(?:密码|密碼)\\s*(?:是|为|為|：|:)\\s*|비밀번호(?:는|은|:)\\s*|パスワード(?:は|：|:)\\s*)["\'`]?)(?:[A-Za-z@#!%&+?~^$-]{0,2}[0-9][A-Za-z0-9@#!%&+?~^*_$-]{4,}|[A-Za-z@#!%&+?~^$-]{3,5}[0-9][A-Za-z0-9@#!%&+?~^*_$-]{2,}|[A-Za-z@#!%&+?~^$-]{6,}[0-9][A-Za-z0-9@#!%&+?~^*_$-]*))') }}
        then {{ set_of(kinds) }}
        else {{ set_of('cast(null as varchar)') }}
    end
{% endmacro %}

/** Capabilities of the server, for the configuration of the engine and for the metadata. */
export const ENABLED_CLIENT_AUTH_METHODS = ['none', 'client_secret_post'] as const;
export const GRANT_TYPES = ['authorization_code', 'refresh_token'] as const;
export const RESPONSE_TYPES = ['code'] as const;
export const RESPONSE_MODES = ['query'] as const;
export const PROMPTS = ['none', 'login', 'consent', 'select_account'] as const;
/** Initiating User Registration via OpenID Connect 1.0: for sites where people may create an account. */
export const CREATE_PROMPT = 'create';
export const CODE_CHALLENGE_METHODS = ['S256'] as const;
export const ID_TOKEN_ALGORITHMS = ['ES256'] as const;

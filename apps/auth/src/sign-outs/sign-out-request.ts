/** OpenID Connect RP-Initiated Logout 1.0 §2. */
export interface SignOutRequest {
  readonly client_id: string | undefined;
  readonly post_logout_redirect_uri: string | undefined;
  readonly state: string | undefined;
}

/** Pages of a person's account, as other pages and mails link to them. */
export const ACCOUNT = '/account';
export const PASSWORD_CHANGE = '/account/change-password';
export const PROFILE = '/account/profile';
export const PASSKEYS = '/account/passkeys';
/** Where a link for another password is asked for. */
export const PASSWORD_RESET_PATH = '/account/password';
/** Where links that set a password lead. */
export const INVITATION_PATH = '/account/invitation';

/** Pages of the account, as other pages and mails link to them. */
export const ACCOUNT = '/account';
export const PASSWORD_CHANGE = '/account/change-password';
export const PROFILE = '/account/profile';
export const PASSKEYS = '/account/passkeys';
/** The page that requests a password reset. */
export const PASSWORD_RESET_PATH = '/account/password';
/** The page of invitation and reset links. */
export const INVITATION_PATH = '/account/invitation';

export const invitationLink = (baseUrl: string, token: string): string => `${baseUrl}${INVITATION_PATH}?token=${token}`;

/** Pages of the account, as other pages and mails link to them. */
export const ACCOUNT = '/account';
export const PASSWORD_CHANGE = '/account/change-password';
export const PROFILE = '/account/profile';
/** The form of a picture, below the profile. */
export const PICTURE_UPLOAD = '/account/profile/picture';
export const PICTURE_REMOVAL = '/account/profile/picture/remove';
/** The folder of the uploaded pictures of people. */
export const PICTURES = '/account/pictures';
export const PASSKEYS = '/account/passkeys';
/** The page on which the browser creates a passkey. */
export const NEW_PASSKEY = '/account/passkeys/new';
export const EMAIL_CHANGE = '/account/email';
/** The page of the links that both addresses get. */
export const EMAIL_CHANGE_LINK = '/account/email/link';
export const LEAVING = '/account/leave';
export const DATA_EXPORT = '/account/export';
/** The page that requests a password reset. */
export const PASSWORD_RESET_PATH = '/account/password';
/** The page of invitation and reset links. */
export const INVITATION_PATH = '/account/invitation';
/** The page of links that confirm the address of a new account, or sign in. */
export const EMAIL_LINK_PATH = '/account/email-link';
/** The last segments of the pages that request such a link, below the account or an interaction. */
export const SIGN_UP = 'sign-up';
export const SIGN_IN_LINK = 'sign-in-link';

export const invitationLink = (baseUrl: string, token: string): string => `${baseUrl}${INVITATION_PATH}?token=${token}`;

export const emailChangeLink = (baseUrl: string, token: string): string =>
  `${baseUrl}${EMAIL_CHANGE_LINK}?token=${token}`;
export const emailedLink = (baseUrl: string, token: string): string => `${baseUrl}${EMAIL_LINK_PATH}?token=${token}`;

/** Pages for developers below the address of a site. The address of the explorer is also its redirect URI. */
export const REFERENCE = '/docs';
export const GUIDES_PATH = '/docs/guides';
export const COMPATIBILITY = '/docs/compatibility';
export const ASSETS = '/docs/assets';
export const EXPLORER = '/member/explorer';
/** mcp-gateway serves it. */
export const CONNECT = '/connect';

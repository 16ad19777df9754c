/** Links by email: invitation, password reset, sign-up and sign-in. */
export const links = {
  'link.over': 'This link is no longer valid',
  'link.check_email': 'Check your email',
  'link.no_email': 'No email after a few minutes? Look in your spam folder, or check the address and try again.',
  'link.send_another': 'Send another link',
  'set_password.title': 'Set your password',
  'set_password.lead': 'for {email} at {site}',
  'set_password.button': 'Set password',
  'set_password.passkeys': 'Your passkeys',
  'set_password.select_passkeys':
    'Select the passkeys that are yours. The others are removed and no longer sign you in.',
  'set_password.keep':
    'Keep {name}, added on {added}, {used, select, never {not used yet} other {last used on {used}}}',
  'set_password.keep_elsewhere':
    'Keep {name} (at {site}), added on {added}, {used, select, never {not used yet} other {last used on {used}}}',
  'password_set.title': 'Your password is set',
  'password_set.signed_in': 'You are signed in at {site} with this browser.',
  'password_set.no_access': 'This account has no access to {site} now. Ask the school for access.',
  'password_link.over':
    'It was used, has expired, or was replaced by a newer one. A link also works only in the browser that opened it first: open it from the email again.',
  'password_link.send_new': 'Send a new link',
  'password_reset.title': 'Reset your password',
  'password_reset.lead': 'We send you an email with a link.',
  'password_reset.hint': 'The address that you sign in with at {site}.',
  'password_reset.sent':
    'If the address belongs to a person at {site}, a link is on its way. It works once, within an hour.',
  'sign_up.title': 'Create an account',
  'sign_up.lead': 'We send you an email with a link that confirms your address.',
  'sign_up.back': 'You already have an account? Sign in',
  'sign_up.sent':
    'An email is on its way to the address that you entered. Its link works once, within an hour. Open it in this browser.',
  'sign_up.closed': 'Sign-up is closed',
  'sign_up.closed_reason': 'You cannot create an account here yourself. Ask the school to invite you.',
  'sign_up.create': 'Create your account',
  'sign_up.create_button': 'Create account',
  'sign_up.with': 'with {email}',
  'sign_up.join': 'Join {site}',
  'sign_up.join_reason': 'This address already has a password. Join with it, then sign in with the same password.',
  'sign_up.join_button': 'Join',
  'sign_in_link.title': 'Sign in by email',
  'sign_in_link.lead': 'We send you an email with a link that signs you in.',
  'sign_in_link.back': 'Sign in with a password',
  'sign_in_link.sent':
    'If the address belongs to a person at {site}, a link is on its way. It works once, within 10 minutes. Open it in this browser.',
  'sign_in_link.closed': 'Sign-in by email is off',
  'sign_in_link.closed_reason': 'This site sends no sign-in links. Use your password or a passkey.',
  'sign_in_link.as': 'as {email}',
  'sign_in_link.other_browser':
    'This link was requested in another browser. Sign in here only if you requested it yourself, and this is your device.',
  'sign_in_link.otherwise': 'Otherwise open the link in the browser in which you requested it.',
  'sign_in_link.here': 'Sign in with this browser',
  'email_link.over':
    'It was used, has expired, or was replaced by a newer one. You can request a new one on the sign-in page.',
} as const;

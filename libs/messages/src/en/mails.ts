/** Mails about an account. A label is a button or a link, and stands before the address in the plain text. */
export const mails = {
  'mail.hello': 'Hello,',
  'mail.hello_name': 'Hello {name},',
  'mail.unsubscribe': 'Unsubscribe',
  'mail.reason_account': 'You receive this email because you have an account at {site}.',
  'mail.reason_address': 'You receive this email because someone entered this address at {site}.',
  'mail.reason_team': 'You receive this email because you manage {site}.',
  'mail.valid_once': 'The link works once, until {time}.',
  'mail.valid': 'The link works until {time}.',
  'mail.welcome': 'Welcome to {site}',
  'mail.welcome_access': 'You now have access to {site}.',
  'mail.welcome_open': 'Open {site}',
  'mail.welcome_link': 'Set your password',
  'mail.password_reset': 'Reset your password at {site}',
  'mail.password_reset_request':
    'We received a request to reset your password at {site}. If this was not you, ignore this email.',
  'mail.password_reset_link': 'Reset your password',
  'mail.password_reset_effect':
    'A new password signs you out of all browsers and applications, and removes the passkeys that you do not keep.',
  'mail.sign_up': 'Confirm your email address at {site}',
  'mail.sign_up_request':
    'We received a request to create an account at {site} with this address. If this was not you, ignore this email: no account is created.',
  'mail.sign_up_link': 'Create your account',
  'mail.sign_up_known': 'You already have an account at {site}',
  'mail.sign_up_known_request':
    'We received a request to create an account at {site} with this address. You already have an account there. If this was not you, ignore this email.',
  'mail.sign_in': 'Sign in',
  'mail.forgot_password': 'Forgot your password',
  'mail.sign_in_link': 'Sign in at {site}',
  'mail.sign_in_link_request':
    'We received a request to sign you in at {site}. If this was not you, ignore this email.',
  'mail.sign_in_link_browser':
    'Open the link in the browser in which you requested it. Do not share it: it signs in as you.',
  'mail.password_changed': 'Your password at {site} was changed',
  'mail.password_changed_effect':
    'The password of your account at {site} was changed. All other browsers were signed out, and all applications were disconnected.',
  'mail.passkeys_removed': 'These passkeys were removed:',
  'mail.passkey_added': 'A passkey was added to your account at {site}',
  'mail.passkey_added_effect':
    'The passkey {name} was added to your account at {site}. It signs you in without your password.',
  'mail.passkey_removed': 'A passkey was removed from your account at {site}',
  'mail.passkey_removed_effect':
    'The passkey {name} was removed from your account at {site}. It no longer signs you in.',
  'mail.quoted': '"{name}"',
  'mail.email_change_approval': 'Approve your new email address at {site}',
  'mail.email_change_approval_request': 'A change of your email address at {site} to {email} was requested.',
  'mail.email_change_approval_link': 'Approve or refuse it',
  'mail.email_change_approval_effect': 'It takes effect when you approve it and the new address is confirmed.',
  'mail.email_change_refuse': 'If you did not request it, refuse it, and set a new password',
  'mail.email_change_confirmation': 'Confirm your new email address at {site}',
  'mail.email_change_confirmation_request':
    'This address was entered as the new email address of an account at {site}. If this was not you, ignore this email.',
  'mail.email_change_confirmation_link': 'Confirm the address',
  'mail.email_changed': 'Your email address at {site} was changed',
  'mail.email_changed_effect':
    'The email address of your account at {site} is now {email}. You sign in with it from now on.',
  'mail.email_changed_stay':
    'Your password, passkeys and connected applications stay as they are. Earlier links for a new password no longer work.',
  'mail.email_changed_help': 'If this was not you, ask {site} for help',
  'mail.webhook': 'A webhook of {site} was disabled',
  'mail.webhook_gone': '{url} receives no more events of {site}: it answered 410 Gone.',
  'mail.webhook_failing': '{url} receives no more events of {site}: no delivery has succeeded for five days.',
  'mail.webhook_repair': 'Repair the receiver, then enable the endpoint: {request}',
  'mail.webhook_changes': 'The events since then are in the changes of 30 days: {request}',
  'mail.your_passkeys': 'Your passkeys',
  'mail.was_you': 'If this was you, nothing needs to be done. If it was not, set a new password now.',
  'mail.was_not_you': 'Set a new password',
  'mail.see_access': 'See what has access to your account',
} as const;

/** The page of the link that ends mails of one kind. */
export const unsubscribe = {
  'unsubscribe.title': 'Emails of {site}',
  'unsubscribe.question':
    'Unsubscribe from emails of this kind? You will still receive these notifications in your inbox.',
  'unsubscribe.button': 'Unsubscribe',
  'unsubscribe.done': 'You are unsubscribed from emails of this kind.',
  'unsubscribe.undo': 'Undo',
  'unsubscribe.undone': 'You are subscribed to emails of this kind again.',
  'unsubscribe.expired': 'This unsubscription can no longer be undone. That is possible for an hour.',
  'unsubscribe.settings': 'Language, address and sign-in are in {account}.',
  'unsubscribe.account': 'your account',
} as const;

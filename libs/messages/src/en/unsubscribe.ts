/** The page of the link that ends mails of one kind. */
export const unsubscribe = {
  'unsubscribe.title': 'Emails of {site}',
  'unsubscribe.question':
    'Unsubscribe from emails of this kind? You will still receive these notifications in your inbox.',
  'unsubscribe.button': 'Unsubscribe',
  'unsubscribe.done': 'You are unsubscribed from emails of this kind. You can subscribe again in your account.',
} as const;

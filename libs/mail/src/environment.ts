import { z } from 'zod';

/** Environment for sending mail. */
export const mailEnvironment = {
  /** `smtp://` or `smtps://` URL of the mail server, with `user:password@` if required. */
  MAIL_SMTP_URL: z.url({ protocol: /^smtps?$/, message: 'must be an smtp:// or smtps:// URL' }).optional(),
  /** Sender address. */
  MAIL_FROM: z.email().default('no-reply@localhost.invalid'),
  /** Folder for mails without a server, as files. Without either, mails are only logged as not sent. */
  MAIL_DIRECTORY: z.string().optional(),
};

export type MailConfiguration = z.output<z.ZodObject<typeof mailEnvironment>>;

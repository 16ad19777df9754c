import { z } from 'zod';

/** How a service sends mails. */
export const mailEnvironment = {
  /** `smtp://` or `smtps://`, with `user:password@` where the server wants it: the server that takes mails. */
  MAIL_SMTP_URL: z.url({ protocol: /^smtps?$/, message: 'must be an smtp:// or smtps:// URL' }).optional(),
  /** Address that mails come from. */
  MAIL_FROM: z.email().default('no-reply@localhost.invalid'),
  /** Without a server: a folder into which mails are written as files. With neither, mails are only logged as not sent. */
  MAIL_DIRECTORY: z.string().optional(),
};

export type MailConfiguration = z.output<z.ZodObject<typeof mailEnvironment>>;

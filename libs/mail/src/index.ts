export type { Mail } from './mail.js';
export { greetedName, mailLine } from './greeting.policy.js';
export { Mailer } from './mailer.js';
export { mailEnvironment } from './environment.js';
export type { MailConfiguration } from './environment.js';
export { isPermanent } from './refusal.policy.js';

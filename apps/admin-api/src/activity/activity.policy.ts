import { activitySentence } from '@lyceum/messages';

/** The change in a sentence in English; its type for a change of another release, whose words are unknown. */
export const summaryOf = (change: Parameters<typeof activitySentence>[0]): string =>
  activitySentence(change) ?? change.action;

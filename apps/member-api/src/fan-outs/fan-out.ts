import type { Message } from '#src/notifications/kinds.policy.js';

/** Recipients: the members enrolled in a course, all members of the site, or the members registered for an event. */
export type Audience =
  | { readonly audience: 'course' | 'event'; readonly audience_id: string }
  | { readonly audience: 'site'; readonly audience_id: null };

export type FanOut = Audience &
  Message & {
    readonly site_id: string;
    /** Deduplication key. */
    readonly occasion: string;
    /** Path below the site's base URL; null links to the course of the audience. */
    readonly path: string | null;
    /** Null for the recipient's own row of the audience: the enrollment or the registration. */
    readonly subject_id: string | null;
  };

import type { Message } from '#src/notifications/kinds.policy.js';

/** Recipients: the members enrolled in a course, all members of the site, or the members registered for an event. */
export type Audience =
  | { readonly audience: 'course' | 'event'; readonly audience_id: string }
  | { readonly audience: 'site'; readonly audience_id: null };

export type FanOut = Audience &
  Message & {
    readonly site_id: string;
    /** What it is about, once. */
    readonly occasion: string;
    /** Below the site's base URL; null leads to the course, in the audience of one. */
    readonly path: string | null;
    /** Null for what each member has of the audience: the enrollment, the registration. */
    readonly subject_id: string | null;
  };

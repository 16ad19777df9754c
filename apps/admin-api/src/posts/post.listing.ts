/** Condition on `posts`: everyone may read them. */
export const PUBLISHED_POSTS = `state = 'published'`;

/** The searched text, exactly as the index has it. */
export const POST_TEXT = `(title || ' ' || coalesce(subtitle, '') || ' ' || slug)`;

/** The searched text, exactly as the index has it. */
export const POST_TEXT = `(title || ' ' || coalesce(subtitle, '') || ' ' || slug)`;

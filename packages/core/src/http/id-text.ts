const ID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is an id as the server gives them: for addresses, which anybody may write. */
export const isId = (text: string): boolean => ID.test(text);

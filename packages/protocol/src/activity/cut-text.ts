/** The beginning of a text, at most so many UTF-16 units; a character that takes two is not cut in two. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  const isCut = last >= 0xd800 && last < 0xdc00;
  return text.slice(0, isCut ? most - 1 : most);
}

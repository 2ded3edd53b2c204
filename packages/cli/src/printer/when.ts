/** A time as the person's own clock shows it. */
export function showWhen(time: number | null): string {
  if (time === null) return '';
  const day = new Date(time);
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())} ${two(day.getHours())}:${two(day.getMinutes())}`;
}

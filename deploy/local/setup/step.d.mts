export function step<T>(
  title: string,
  work: () => Promise<T>,
  output?: { readonly isTTY?: boolean; write(text: string): unknown },
  progressMs?: number,
): Promise<T>;

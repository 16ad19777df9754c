/**
 * Extracts the variables of a URI by its template; undefined without a match. A variable is one percent-encoded path
 * segment (RFC 6570, level 1).
 */
export function matchUri(template: string, uri: string): Record<string, string> | undefined {
  const names: string[] = [];
  const pattern = template.replaceAll(/\{([a-z_]+)\}|[^{]+/g, (part, name: string | undefined) => {
    if (name === undefined) return part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
    names.push(name);
    return '([^/?#]+)';
  });
  const values = new RegExp(`^${pattern}$`).exec(uri)?.slice(1).map(decode);
  if (values === undefined) return undefined;
  const variables: [string, string][] = [];
  for (const [i, name] of names.entries()) {
    const value = values[i];
    if (value === undefined) return undefined;
    variables.push([name, value]);
  }
  return Object.fromEntries(variables);
}

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

export function isTemplate({ uri }: { readonly uri: string }): boolean {
  return uri.includes('{');
}

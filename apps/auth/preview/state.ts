import type { Page } from '@lyceum/pages';

/** One page with planted data. */
export interface State {
  /** The function that renders the page. */
  readonly of: object;
  /** The name of the function, and that of the state. */
  readonly title: string;
  /** The last segment of its address. */
  readonly slug: string;
  /** Renders the page for the current reader. */
  readonly render: () => Page;
}

/** The states of a page: for each its name and the arguments of the function. */
export function statesOf<Given extends unknown[]>(
  of: (...given: Given) => Page,
  cases: Readonly<Record<string, NoInfer<Given>>>,
): State[] {
  return Object.entries(cases).map(([name, given]) => ({
    of,
    title: `${of.name}: ${name}`,
    slug: `${of.name}-${name}`.replaceAll(/\W+/g, '-'),
    render: () => of(...given),
  }));
}

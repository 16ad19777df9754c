/** Connections of people with applications. */
export interface Connections {
  readonly count: number;
  /** True: there are more than `count`. */
  readonly more: boolean;
}

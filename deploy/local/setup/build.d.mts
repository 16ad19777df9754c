export interface Package {
  readonly name: string;
  readonly directory: string;
  readonly script: string;
  readonly hash: string;
}
export function usedPackages(root: string, name: string): Map<string, string>;
export function stalePackages(root: string): Package[];
export function dropStaleBundles(root: string): void;
export function compile(root: string, stale: Package): Promise<void>;

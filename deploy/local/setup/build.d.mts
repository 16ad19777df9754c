export interface Package {
  readonly name: string;
  readonly directory: string;
  readonly script: string;
  readonly hash: string;
}
export interface Manifest {
  readonly name: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}
export function workspacePackages(root: string): { readonly directory: string; readonly manifest: Manifest }[];
export function stalePackages(root: string): Package[];
export function compile(root: string, stale: Package): Promise<void>;

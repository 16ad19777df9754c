type Environment = Readonly<Record<string, string | undefined>>;

export function postgresPackage(platform: string): string;
export function natsPackage(platform: string): string;
export function currentPlatform(): string;
export function programOnPath(name: string, environment?: Environment): string | undefined;
export function missingNats(platform: string): string;
export function missingPostgres(platform: string): string;

import type { Principal } from '@lyceum/contracts';
import { SigningKey, sealedSql } from '@lyceum/platform';
import type { SecretKeys } from '@lyceum/platform';

/** Lifetime of a download link. */
const DOWNLOAD_SECONDS = 600;

/** 8 bytes of expiry in seconds since 1970; row, source and file. */
const LINK_BYTES = 56;

/** Content of a link. It names no person, because two sites could match their members by that id. */
export interface Download {
  /** The member's own row: an enrollment, the grant of a digital product, or a registration. */
  readonly row_id: string;
  /** The lecture of the course, the digital product, or the event. */
  readonly source_id: string;
  /** The file. The link of a calendar has the event again. */
  readonly file_id: string;
}

/** Input of PostgreSQL for signing the links of one response. */
export class DownloadScope {
  #key: SigningKey | undefined;

  constructor(
    private readonly derive: () => SigningKey,
    /** Seconds since 1970. */
    readonly expires: number,
  ) {}

  /** Derived only when a link is selected. */
  get key(): SigningKey {
    return (this.#key ??= this.derive());
  }
}

/**
 * Short-lived download links. They work without an access token, because a browser that follows a link sends none. A
 * link is valid at one site only. Each use is checked against the current state of the member and the source.
 */
export class DownloadLinks {
  constructor(private readonly masters: SecretKeys) {}

  scope({ site_id }: Pick<Principal, 'site_id'>, now = Date.now()): DownloadScope {
    return new DownloadScope(() => this.#key(site_id), Math.floor(now / 1000) + DOWNLOAD_SECONDS);
  }

  /** Undefined for a token that was not signed for this site, and for an expired one. */
  read(site_id: string, token: string, now = Date.now()): Download | undefined {
    const bytes = this.#key(site_id).open(token);
    if (bytes?.length !== LINK_BYTES || Number(bytes.readBigInt64BE(0)) * 1000 <= now) return undefined;
    return { row_id: uuidAt(bytes, 8), source_id: uuidAt(bytes, 24), file_id: uuidAt(bytes, 40) };
  }

  #key(site_id: string): SigningKey {
    return new SigningKey(this.masters, 'download.v2', site_id);
  }
}

function uuidAt(bytes: Buffer, at: number): string {
  const hex = bytes.toString('hex', at, at + 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}

/** An SQL expression for the token of a link: `row`, `source` and `file` are expressions of type uuid. */
export function downloadTokenSql(row: string, source: string, file: string): string {
  const bytes = `int8send(:download_expires) || uuid_send(${row}) || uuid_send(${source}) || uuid_send(${file})`;
  return sealedSql(bytes, ':download_inner', ':download_outer');
}

/** A link by email that creates an account, or signs in. */
export type EmailLinkPurpose = 'sign_up' | 'sign_in';

/** A link that was neither used nor replaced and has not expired. */
export interface OpenEmailLink {
  readonly purpose: EmailLinkPurpose;
  /** The address that the link proves. */
  readonly email: string;
  /** The digest of the browser that requested the link. */
  readonly browser_hash: Buffer;
}

/** The account of an address, as a site sees it. */
export interface AccountOfAddress {
  readonly person_id: string;
  readonly state: 'active' | 'suspended' | 'deleted';
  readonly has_password: boolean;
  /** Null for a person who was never a member of the site. */
  readonly member_state: 'invited' | 'active' | 'suspended' | 'removed' | null;
}

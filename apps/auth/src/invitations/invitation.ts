/** The first password, or a reset. */
export type InvitationPurpose = 'invitation' | 'password_reset';

export interface Invitation {
  readonly person_id: string;
  readonly email: string;
  readonly name: string;
  readonly purpose: InvitationPurpose;
}

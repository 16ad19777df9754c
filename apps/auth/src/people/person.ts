/** A person is one for the deployment: one e-mail, one `sub` at every site. */
export interface Person {
  readonly person_id: string;
  readonly email: string;
  readonly email_verified: boolean;
  readonly name: string;
  readonly picture: string | null;
  readonly locale: string | null;
  readonly state: 'active' | 'suspended' | 'deleted';
  readonly version: number;
}

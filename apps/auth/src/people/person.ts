/**
 * A person exists once per deployment, with one email address and one password. Each site has a membership of its own.
 */
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

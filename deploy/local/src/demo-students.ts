export interface DemoStudent {
  readonly email: string;
  readonly name: string;
  /** Id in the storefront. */
  readonly external_id: string;
  readonly enrollments: readonly DemoEnrollment[];
}

export interface DemoEnrollment {
  /** Slug of the course. */
  readonly course: string;
  /** `external_id` of its plan; without it, access is by hand and for life. */
  readonly plan?: string;
}

/** Students who are added and enrolled with one call. The storefront does not know them. */
export interface DemoClass {
  /** Slug of the course. */
  readonly course: string;
  readonly students: readonly Pick<DemoStudent, 'email' | 'name'>[];
}

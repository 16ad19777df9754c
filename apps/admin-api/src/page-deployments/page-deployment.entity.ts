import { SiteRow } from '@lyceum/collections';
import { Column, Entity } from 'typeorm';
import type { DeploymentFault, DeploymentState } from './page-deployment.policy.js';

/** Files that were deployed together. They never change. */
@Entity('page_deployments')
export class PageDeployment extends SiteRow {
  @Column('uuid') page_id!: string;
  /** The upload. It may be deleted since. Null before uploads were deployed. */
  @Column({ type: 'uuid', nullable: true }) file_id!: string | null;
  @Column('text') state!: DeploymentState;
  /** Why the deployment failed; else empty. */
  @Column('jsonb') faults!: readonly DeploymentFault[];
  /** When its job ended. Null while the zip file is to be checked. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) ended_at!: Date | null;
  @Column('int') bytes!: number;
  @Column('int') files_count!: number;
  /** Null: a program of the platform. */
  @Column({ type: 'uuid', nullable: true }) created_by!: string | null;
}

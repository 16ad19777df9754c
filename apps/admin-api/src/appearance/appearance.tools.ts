import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import {
  READS,
  REPLACES,
  WriteResponse,
  IdempotentWrites,
  dryRun,
  operatorOf,
  toolWrite,
  toolWriteOf,
  writtenOf,
} from '@lyceum/rest';
import { appearancePatch, appearanceView } from './appearance.schema.js';
import { AppearanceService } from './appearance.service.js';
import { viewAppearance } from './appearance.view.js';

const details = z.object(appearanceView.shape);
const updateInput = z.object({ ...appearancePatch.shape, ...toolWrite });
const changedAppearance = z.object({ dry_run: dryRun, appearance: writtenOf(details) });

const WRITES = { audience: 'operator', scopes: ['appearance:write'] } as const;

@Injectable()
export class AppearanceTools {
  constructor(
    private readonly appearances: AppearanceService,
    private readonly writes: IdempotentWrites,
  ) {}

  @Tool({
    name: 'get_appearance',
    title: 'Get the appearance of the site',
    description:
      'Tells the colours, font, logo, navigation and footer of this site; null is as the platform has it. Use it before ' +
      'update_appearance.',
    audience: 'operator',
    scopes: ['appearance:read'],
    input: z.object({}),
    output: details,
    annotations: READS,
  })
  async getAppearance(call: ToolCall<Record<string, never>>): Promise<z.infer<typeof details>> {
    return viewAppearance(await this.appearances.get(operatorOf(call)));
  }

  @Tool({
    ...WRITES,
    name: 'update_appearance',
    title: 'Change the appearance of the site',
    description:
      'Changes what is given of the looks of this site: what is left out stays, null clears, lists are replaced. Use it ' +
      'to set colours that can be read, a logo or links; listAppearanceRevisions has what was before.',
    input: updateInput,
    output: changedAppearance,
    annotations: REPLACES,
  })
  async updateAppearance(call: ToolCall<z.infer<typeof updateInput>>): Promise<unknown> {
    const principal = operatorOf(call);
    const { write, asked } = toolWriteOf({ ...WRITES, tool: 'update_appearance' }, call);
    const answer = await this.writes.run(principal, write, async (tx) => {
      const change = { patch: asked, ifMatch: write.ifMatch };
      const { row, changed } = await this.appearances.patch(principal, change, tx);
      return WriteResponse.of(viewAppearance(row), {}, { sent: asked, changed });
    });
    return { dry_run: write.dryRun, appearance: answer.body };
  }
}

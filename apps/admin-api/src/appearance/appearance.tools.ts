import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import { Answer } from '#src/answers/answer.js';
import { READS, REPLACES } from '#src/tool-calls/hints.js';
import { operatorOf } from '#src/tool-calls/operator.js';
import { dryRun, toolWrite, toolWriteOf } from '#src/tool-calls/tool-write.js';
import { Writes } from '#src/writes/writes.service.js';
import { appearancePatch, appearanceView } from './appearance.schema.js';
import { AppearanceService } from './appearance.service.js';
import { viewAppearance } from './appearance.view.js';

const details = z.object(appearanceView.shape);
const updateInput = z.object({ ...appearancePatch.shape, ...toolWrite });
const changed = z.object({ appearance: details, dry_run: dryRun });

@Injectable()
export class AppearanceTools {
  constructor(
    private readonly appearances: AppearanceService,
    private readonly writes: Writes,
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
    name: 'update_appearance',
    title: 'Change the appearance of the site',
    description:
      'Changes what is given of the looks of this site: what is left out stays, null clears, lists are replaced. Use it ' +
      'to set colours that can be read, a logo or links; listAppearanceRevisions has what was before.',
    audience: 'operator',
    scopes: ['appearance:write'],
    input: updateInput,
    output: changed,
    annotations: REPLACES,
  })
  async updateAppearance(call: ToolCall<z.infer<typeof updateInput>>): Promise<unknown> {
    const principal = operatorOf(call);
    const { write, asked } = toolWriteOf('update_appearance', call);
    const answer = await this.writes.run(principal, write, async (tx) => {
      const appearance = await this.appearances.patch(principal, { patch: asked, ifMatch: write.ifMatch }, tx);
      return new Answer(200, { appearance: viewAppearance(appearance), dry_run: write.dryRun });
    });
    return answer.body;
  }
}

import { Injectable } from '@nestjs/common';
import type { ContentOutput } from '@lyceum/contracts';
import { ApiError } from '@lyceum/errors';
import { Tool } from '@lyceum/tools';
import type { ToolCall } from '@lyceum/tools';
import { z } from 'zod';
import { OPEN, PNG, WAV } from './fixture.media.js';

type Block = ContentOutput['content'][number];

export const text = (content: string): Block => ({ type: 'text', text: content });
export const shows = (...content: Block[]): Promise<ContentOutput> => Promise.resolve({ content });

/** A content tool without arguments. */
export const fixture = (name: string) =>
  ({
    ...OPEN,
    name,
    title: name,
    description: 'A fixture of the conformance suite.',
    input: z.object({}),
    output: 'content',
    annotations: { readOnlyHint: true },
  }) as const;

const image: Block = { type: 'image', data: PNG, mimeType: 'image/png' };

/** Tools of the conformance scenarios. */
@Injectable()
export class ConformanceTools {
  @Tool(fixture('test_simple_text'))
  simpleText(): Promise<ContentOutput> {
    return shows(text('This is a simple text response for testing.'));
  }

  @Tool(fixture('test_image_content'))
  image(): Promise<ContentOutput> {
    return shows(image);
  }

  @Tool(fixture('test_audio_content'))
  audio(): Promise<ContentOutput> {
    return shows({ type: 'audio', data: WAV, mimeType: 'audio/wav' });
  }

  @Tool(fixture('test_embedded_resource'))
  embedded(): Promise<ContentOutput> {
    const content = 'This is an embedded resource content.';
    return shows({
      type: 'resource',
      resource: { uri: 'test://embedded-resource', mimeType: 'text/plain', text: content },
    });
  }

  @Tool(fixture('test_multiple_content_types'))
  mixed(): Promise<ContentOutput> {
    const uri = 'test://mixed-content-resource';
    const resource = { uri, mimeType: 'application/json', text: '{"test":"data","value":123}' };
    return shows(text('Multiple content types test:'), image, { type: 'resource', resource });
  }

  @Tool(fixture('test_error_handling'))
  error(): Promise<ContentOutput> {
    throw new ApiError('invalid_state', 'This tool intentionally returns an error for testing');
  }

  @Tool(fixture('test_tool_with_progress'))
  progress({ progress }: ToolCall<object>): Promise<ContentOutput> {
    for (const done of [0, 50, 100]) progress(done, 100, `Completed step ${done} of 100`);
    return shows(text('Done'));
  }

  /** The gateway sends no logs to callers, with or without a level. */
  @Tool(fixture('test_logging_tool'))
  logging(): Promise<ContentOutput> {
    return shows(text('Nothing was logged'));
  }
}

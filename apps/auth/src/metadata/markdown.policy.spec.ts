import { markdownHtml } from './markdown.policy.js';

const flat = (text: string): string => markdownHtml(text).text.replaceAll(/\s*\n\s*|<wbr \/>/g, '');

describe('The Markdown of the guide as HTML', () => {
  it.each([
    ['# At `x`', '<h1>At <code>x</code></h1>'],
    ['## Get a client', '<h2 id="get-a-client">Get a client</h2>'],
    ['one\ntwo', '<p>one two</p>'],
    [
      '- **Bold `code`**: text\n- second',
      '<ul><li><strong>Bold <code>code</code></strong>: text</li><li>second</li></ul>',
    ],
    [
      '| A | B |\n| --- | --- |\n| `c` | d |',
      '<table><tr><th>A</th><th>B</th></tr><tr><td><code>c</code></td><td>d</td></tr></table>',
    ],
    ['https://school.example/help', '<p><a href="https://school.example/help">https://school.example/help</a></p>'],
    [
      '`GET https://school.example/.well-known/x`',
      '<p><code>GET <a href="https://school.example/.well-known/x">https://school.example/.well-known/x</a></code></p>',
    ],
    [
      '`GET https://school.example/api/oauth/userinfo`',
      '<p><code>GET https://school.example/api/oauth/userinfo</code></p>',
    ],
  ])('renders %j', (text, expected) => {
    expect(flat(text)).toBe(expected);
  });

  it('breaks code after its signs, and no other text', () => {
    expect(markdownHtml('`redirect_uri` at a_b').text).toContain('<code>redirect_<wbr />uri</code> at a_b');
    expect(markdownHtml('`http://a.example/b/c`').text).toContain('<code>http://a.example/<wbr />b/<wbr />c</code>');
  });

  it('escapes markup, quotes and links with another scheme', () => {
    const hostile = flat('# <img src=x>\n\n`<b>` "\' **<i>**\n\n| <u> |\n| --- |\n| <s> |\n\njavascript:alert(1)');
    expect(hostile).not.toMatch(/<(?:img|b|i|u|s)[ >]|href/);
    expect(hostile).toContain('&lt;img src=x&gt;');
  });

  it('keeps single signs as text', () => {
    expect(flat('a ` b ** c')).toBe('<p>a ` b ** c</p>');
  });
});

const WIDTH = 120;

/** Breaks a paragraph into lines of at most 120 characters, never within code; `indent` precedes all but the first. */
export function wrap(paragraph: string, indent = ''): string {
  const words = paragraph.match(/(?:`[^`]*`|\S)+/g) ?? [];
  const lines: string[] = [];
  let line = '';
  for (const word of words) {
    const longer = line === '' ? word : `${line} ${word}`;
    const room = WIDTH - (lines.length === 0 ? 0 : indent.length);
    if (line !== '' && longer.length > room) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line].join(`\n${indent}`);
}

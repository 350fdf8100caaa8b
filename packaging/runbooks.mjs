// Renders docs/runbooks as pages next to the fleet page: dist/page/runbooks/<name>.html, and names.txt with their names.
// Called by `npm run build`. The daemon serves them under /runbooks/ for links in alerts.

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { marked } from 'marked';

const SOURCE = 'docs/runbooks';
const TARGET = 'dist/page/runbooks';

/** The index is README in the sources, and is served as the folder itself. */
const nameOf = (file) => (file === 'README.md' ? 'index' : file.replace(/\.md$/, ''));

marked.use({
  renderer: {
    // Links between runbooks lose their extension. Other documents are not served, so their links become text.
    link({ href, tokens }) {
      const text = this.parser.parseInline(tokens);
      const [, runbook] = /^(\w+)\.md$/.exec(href) ?? [];
      if (runbook !== undefined) return `<a href="${runbook}">${text}</a>`;
      return href.startsWith('https://') ? `<a href="${href}" rel="noreferrer">${text}</a>` : text;
    },
  },
});

mkdirSync(TARGET, { recursive: true });
const files = readdirSync(SOURCE);
for (const file of files) {
  const body = marked.parse(readFileSync(`${SOURCE}/${file}`, 'utf8'), { async: false });
  const name = nameOf(file);
  const title = name === 'index' ? 'Runbooks' : name;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · hoster-exporter</title>
<link rel="stylesheet" href="../assets/fleet.css">
</head>
<body class="runbook">
<nav><a href="../">Phones</a> · <a href="./">All runbooks</a></nav>
<main>
${body}</main>
</body>
</html>
`;
  writeFileSync(`${TARGET}/${name}.html`, html);
}
writeFileSync(`${TARGET}/names.txt`, files.map(nameOf).join('\n'));

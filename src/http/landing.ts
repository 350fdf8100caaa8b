/** The page at `/` for a person who followed the address: what this is, and where to go. */
export function landingPage(version: string, telemetryPath: string): string {
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>hoster-exporter</title></head>
<body>
<h1>hoster-exporter</h1>
<p>Version ${escapeHtml(version)}. It polls the marketplace and serves what it learns to Prometheus.</p>
<ul>
<li><a href="${escapeHtml(telemetryPath)}">Metrics</a></li>
<li><a href="/-/healthy">Healthy?</a></li>
<li><a href="/-/ready">Ready?</a></li>
</ul>
</body>
</html>
`;
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
}

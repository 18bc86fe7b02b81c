/** Adapts the Swagger UI page: adds the playground's colours, in light and dark, and a link to the playground. */

/** Runs before the page is rendered. Without the viewport, phones scale the page down. */
export const script = `const meta = document.createElement('meta')
meta.name = 'viewport'
meta.content = 'width=device-width, initial-scale=1'
document.head.append(meta)

const dark = matchMedia('(prefers-color-scheme: dark)')
const show = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', show)
show()

addEventListener('DOMContentLoaded', () => {
  const bar = document.createElement('nav')
  bar.className = 'site'
  bar.ariaLabel = 'Site'
  const link = document.createElement('a')
  link.href = location.pathname.replace(/\\/docs\\/?.*$/, '/playground')
  link.textContent = 'Playground'
  bar.append('Transaction back end', link)
  document.body.prepend(bar)
})`

export const styles = `:root {
  --ground: #f6f6f9; --surface: #ffffff; --line: #e0e2ea; --ink: #171a23; --accent: #3652d9; --good: #147043;
  --sans: system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "Liberation Sans", sans-serif;
}
:root.dark-mode {
  color-scheme: dark;
  --ground: #0f1117; --surface: #171a23; --line: #2a2f3e; --ink: #eceef5; --accent: #9db0ff; --good: #6fd49b;
}
body, html.dark-mode, html.dark-mode body, html.dark-mode .swagger-ui { background: var(--ground); }
.site {
  display: flex; justify-content: space-between; gap: 1rem; padding: 1.125rem 1.5rem;
  border-bottom: 1px solid var(--line); background: var(--surface); color: var(--ink);
  font: 600 0.875rem / 1.5 var(--sans);
}
.site a, .swagger-ui .info a, html.dark-mode .swagger-ui .info a { color: var(--accent); }
.site a { font-weight: 400; text-underline-offset: 0.18em; }
.swagger-ui, .swagger-ui .info .title, .swagger-ui .opblock-tag, .swagger-ui .opblock .opblock-summary-description,
.swagger-ui .btn, .swagger-ui select { font-family: var(--sans); }
.swagger-ui .scheme-container, html.dark-mode .swagger-ui .scheme-container {
  background: var(--surface); box-shadow: none; border-block: 1px solid var(--line);
}
.swagger-ui .btn.execute { background: var(--accent); border-color: var(--accent); }
html.dark-mode .swagger-ui .btn.execute { color: var(--ground); }
.swagger-ui .btn.authorize { border-color: var(--accent) !important; color: var(--accent) !important; }
.swagger-ui .btn.authorize svg { fill: var(--accent) !important; }
.swagger-ui .opblock-get .opblock-summary-method { background: var(--accent) !important; }
.swagger-ui .opblock-post .opblock-summary-method, .swagger-ui .info .title small { background: var(--good) !important; }
.swagger-ui .opblock-summary-method, .swagger-ui .info .title small .version { color: var(--surface) !important; }
.swagger-ui .response-col_links { display: none; }
.swagger-ui .header-col { color: var(--ink) !important; }
.swagger-ui .markdown code, .swagger-ui .renderedMarkdown code { color: inherit !important; }`

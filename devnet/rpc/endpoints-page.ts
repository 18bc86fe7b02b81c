import type { MethodTable } from './dispatch.ts'

/** A page of links to all methods, for a browser. */
export function endpointsPage(host: string, methods: MethodTable): string {
  const links = [...methods]
    .toSorted(([a], [b]) => a.localeCompare(b))
    .map(([name, { params }]) => {
      const link = `//${host}/${name}${params.length > 0 ? `?${params.map(param => `${param}=_`).join('&')}` : ''}`
      return { text: params.length > 0 ? link : name, link, bare: params.length === 0 }
    })
  const list = (bare: boolean) =>
    links.filter(entry => entry.bare === bare).map(({ link, text }) => `<a href="${link}">${text}</a><br>`)
  return [
    '<html><body><br>Available endpoints:<br>',
    ...list(true),
    '<br>Endpoints that require arguments:<br>',
    ...list(false),
    '</body></html>'
  ].join('')
}

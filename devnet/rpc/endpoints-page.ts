import type { MethodTable } from './dispatch.ts'
import { subscriptionMethods } from './subscriptions/subscriptions.ts'

/** A page of links to all methods, for a browser. A node lists them all as methods with arguments. */
export function endpointsPage(host: string, methods: MethodTable): string {
  const own = [...methods].map(([name, { params }]) => [name, params] as const)
  const links = [...own, ...Object.entries(subscriptionMethods)]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, params]) => {
      const query = Object.keys(params).map(param => `${param}=_`)
      const link = `//${host}/${name}?${query.join('&')}`
      return `<a href="${link}">${link}</a></br>`
    })
  return [
    '<html><body><br>Available endpoints:<br>',
    '<br>Endpoints that require arguments:<br>',
    ...links,
    '</body></html>'
  ].join('')
}

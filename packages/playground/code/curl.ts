import { baseUrl } from '../service.ts'

/** Formats a GET request as a curl command. curl URL-encodes parameters that need it. */
export function curlGet(path: string, query: Readonly<Record<string, string>> = {}): string {
  const parameters = Object.entries(query)
  if (parameters.length === 0) return `curl ${baseUrl}${path}`
  const lines = parameters.map(([name, value]) =>
    /^[\w.-]*$/.test(value) ? `  --data ${name}=${value}` : `  --data-urlencode ${quoted(`${name}=${value}`)}`
  )
  return [`curl --get ${baseUrl}${path}`, ...lines].join(' \\\n')
}

export function curlPost(path: string, body: object): string {
  return [
    `curl ${baseUrl}${path}`,
    `  --header 'content-type: application/json'`,
    `  --data ${quoted(JSON.stringify(body, null, 2))}`
  ].join(' \\\n')
}

/** Quotes a string for a POSIX shell. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}

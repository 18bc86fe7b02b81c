import type { FastifyInstance } from 'fastify'
import { until } from './until.ts'

/** Parses metrics in Prometheus format. Each key is a metric name with its labels, exactly as in the text. */
export function samples(text: string): Map<string, number> {
  const lines = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map(line => {
      const end = line.lastIndexOf(' ')
      return [line.slice(0, end), Number(line.slice(end + 1))]
    })
  )
}

/** Returns the first sample with this name and all of these labels, or undefined. */
export function sample(text: string, name: string, labels: Record<string, string> = {}): number | undefined {
  const wanted = Object.entries(labels).map(([label, value]) => `${label}="${value}"`)
  for (const [key, value] of samples(text)) {
    const [found, rest = ''] = key.split('{')
    if (found === name && wanted.every(label => rest.includes(label))) return value
  }
  return undefined
}

/** Waits until `/metrics` reports the expected value, because a response can be up to a second old. */
export async function untilSample(
  server: FastifyInstance,
  name: string,
  labels: Record<string, string>,
  isExpected: (value: number) => boolean
): Promise<string> {
  return until(
    async () => {
      const { body } = await server.inject('/metrics')
      const value = sample(body, name, labels)
      return value !== undefined && isExpected(value) && body
    },
    `${name} ${JSON.stringify(labels)} has the expected value`
  )
}

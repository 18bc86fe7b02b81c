export async function rpc(url: string | undefined, method: string, params: object = {}) {
  const response = await fetch(url ?? '', {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  })
  return (await response.json()) as {
    result?: Record<string, unknown>
    error?: { code: number; data: string }
  }
}

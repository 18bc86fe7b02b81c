import { writeFileSync } from 'node:fs'
import { settingsFiles } from './settings-files.ts'

// `npm run settings` runs this file.
for (const [path, content] of Object.entries(settingsFiles()))
  writeFileSync(new URL(`../${path}`, import.meta.url), content)

import { runFiles } from '../helpers/run-files.ts'

runFiles({ of: ['plugins', 'routes'], except: ['routes/submit'] })

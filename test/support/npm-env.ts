/**
 * The environment for a npm of its own: packages come from npm's cache where they are in it. The variables that an outer npm sets are
 * left out, since they name another project.
 */
export function npmEnv(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_(?!config_(?:cache|registry|userconfig)$)/.test(name),
  )
  return { ...Object.fromEntries(inherited), npm_config_prefer_offline: 'true', npm_config_audit: 'false' }
}

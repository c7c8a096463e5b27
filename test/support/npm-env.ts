/** Packages that were installed once come from npm's cache. What npm itself handed down would name another project. */
export function npmEnv(): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^npm_(?!config_(?:cache|registry|userconfig)$)/.test(name),
  )
  return { ...Object.fromEntries(inherited), npm_config_prefer_offline: 'true', npm_config_audit: 'false' }
}

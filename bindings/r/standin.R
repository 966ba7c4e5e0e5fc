dyn.load(paste0("standin", .Platform$dynlib.ext))

# The folder that keeps the machine code of the core.
.cache <- function() {
  folder <- tools::R_user_dir("standin", "cache")
  dir.create(folder, recursive = TRUE, showWarnings = FALSE, mode = "0700")
  folder
}

# Numbers as they are, everything else by its text.
.column <- function(values) {
  if (is.numeric(values)) return(as.double(values))
  if (is.logical(values)) values <- tolower(values)
  factor(as.character(values))
}

# Measures a data frame. Schema, plan and options are JSON, and so is the result: the release, which is to be kept.
measure <- function(data, schema, plan, options = "{}") {
  .Call("standin_r_measure", lapply(data, .column), schema, plan, options, .cache())
}

# Makes a data frame of rows from a release.
resample <- function(release, options = "{}") {
  columns <- .Call("standin_r_resample", release, options, .cache())
  as.data.frame(columns, check.names = FALSE, optional = TRUE)
}

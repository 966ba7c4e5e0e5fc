# Columns of every kind go through, and come back about as they were: ε is so large that noise moves few rows.
source("standin.R")

people <- data.frame(
  sex = rep(c("F", "M", NA), 300),
  adult = rep(c(TRUE, FALSE, TRUE), 300),
  age = rep(c(31L, NA, 18L), 300),
  height = rep(c(1.5, 1.75, 2), 300),
  born = as.Date("1990-01-05") + rep(0:2, 300)
)
schema <- '{"fields": [
  {"name": "sex", "type": "string", "constraints": {"enum": ["M", "F"]}},
  {"name": "adult", "type": "boolean"},
  {"name": "age", "type": "integer", "constraints": {"minimum": 0, "maximum": 63}},
  {"name": "height", "type": "number", "constraints": {"minimum": 1, "maximum": 2}, "standin": {"granularity": 0.25}},
  {"name": "born", "type": "date", "constraints": {"minimum": "1990-01-01", "maximum": "1990-01-08"}}
]}'
release <- measure(people, schema, '{"epsilon": 1000, "workload": "1-way"}')
made <- resample(release, '{"rows": 900}')

near <- function(found, expected) abs(sum(found) - expected) < 30
sex <- as.character(made$sex)
stopifnot(
  identical(names(made), names(people)),
  identical(levels(made$sex), c("M", "F")), near(is.na(sex), 300), near(sex %in% "F", 300), near(sex %in% "M", 300),
  near(made$adult %in% "true", 600), near(made$adult %in% "false", 300),
  is.numeric(made$age), near(is.na(made$age), 300), near(made$age %in% 31, 300), near(made$age %in% 18, 300),
  near(made$height %in% 1.75, 300), near(made$height %in% 2, 300),
  inherits(made$born, "Date"), near(made$born %in% as.Date("1990-01-06"), 300)
)

refused <- tryCatch(measure(people, '{"fields": []}', "{}"), error = conditionMessage)
stopifnot(startsWith(refused, "The schema has no list of fields."))
